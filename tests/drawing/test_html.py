"""Blocks of data on a page: nothing in them ends the block or changes how it is read."""

import json

from arboretum_env.drawing.html import json_block, to_text


def test_no_text_ends_a_block_of_data() -> None:
    data = {"text": "</script><!-- <b>&amp;'\" 木"}
    block = to_text(json_block("data", data))
    assert block.startswith('<script id="data" type="application/json">')
    inner = block.split(">", 1)[1].removesuffix("</script>")
    assert "<" not in inner
    assert json.loads(inner) == data
