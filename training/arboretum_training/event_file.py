"""The log for TensorBoard, in its own file format, written at once and not by a thread.

TensorBoard's own writer hands rows to a thread that fails in the background, minutes after a disk
was full, and tells of it in a traceback. One event a row holds all of its numbers.
"""

import io
import time
from collections.abc import Mapping
from pathlib import Path

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from arboretum_training.files import GrowingFile


class EventFile:
    """Appends rows to a new file of a folder.

    Args:
        folder: made if need be; the files of earlier launches are put in order, see below.
        resumed_step: in a resumed run, the step that it goes on from: TensorBoard then hides what
            an earlier launch logged after it.
    """

    def __init__(self, folder: Path, *, resumed_step: int | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = GrowingFile(folder / f"events.out.tfevents.{_put_in_order(folder):010}")
        self._write(Event(file_version="brain.Event:2"))
        if resumed_step is not None:
            start = SessionLog(status=SessionLog.START)
            self._write(Event(step=resumed_step + 1, session_log=start))

    def add(self, step: int, metrics: Mapping[str, float]) -> None:
        """Write one row."""
        values = [Summary.Value(tag=name, simple_value=value) for name, value in metrics.items()]
        self._write(Event(step=step, summary=Summary(value=values)))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, event: Event) -> None:
        event.wall_time = time.time()
        record = io.BytesIO()
        RecordWriter(record).write(event.SerializeToString())
        self._file.append(record.getvalue())


def _put_in_order(folder: Path) -> int:
    """Gives the files that are there names that sort before a new one's; returns their number.

    TensorBoard reads files in the order of their names, and what other writers call theirs depends
    on the clock: launches within a second, or after a clock was set back, would be read in the
    wrong order, and what came before them be hidden.
    """
    files = sorted(folder.glob("*tfevents*"))
    for number, file in enumerate(files):
        file.rename(file.with_name(f"events.out.tfevents.{number:010}"))
    return len(files)
