"""What a training run ends with: measurement, table, games, a picture, a model card."""

from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.drawing.scene import scene_of_state
from arboretum_env.drawing.svg import scene_svg
from arboretum_env.engine.deal import deal
from arboretum_env.match import MatchResult, play_match
from arboretum_env.records.files import save_record
from arboretum_env.records.from_game import record_from_match
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_lab.cli.program import program
from arboretum_training.config import Experiment
from arboretum_training.evaluation.evaluate import evaluate
from arboretum_training.evaluation.executor import Workers
from arboretum_training.evaluation.summary import Summary, summarise
from arboretum_training.model_card import write_model_card
from arboretum_training.runs import RunFolder
from arboretum_training.session import measure_run

SAMPLE_GAMES: Final = 5


def close_run(
    run: RunFolder, config: Experiment, step: int, console: Console, *, workers: Workers
) -> None:
    """Measures a trained policy and prints and keeps the results.

    Args:
        run: its newest checkpoint is measured; gets reports, games, a picture and the model card.
        config: the experiment.
        step: decisions learned from.
        console: gets the table and what to try next.
        workers: who measures, see ``executor.Workers``.
    """
    deals = config.evaluation.final_deals
    console.print(f"measuring over {deals} duplicate deals, every seat rotation ...", markup=False)
    summaries = measure_run(run, config, step, workers=workers)
    # The bots among themselves, on the same deals: the scale on which to read the policy's rates;
    # the later one is the stronger one, and comes first.
    summaries += [
        summarise(evaluate(pair, config.game, deals=deals, seed=config.seed, workers=workers))
        for pair in combinations(reversed(config.evaluation.opponents), 2)
    ]
    console.print(results_table(summaries, config))
    picture = save_sample_games(run, config)
    write_model_card(run)
    _print_next_steps(console, run, config, picture)


def results_table(summaries: list[Summary], config: Experiment) -> Table:
    """One row a pairing: the first agent in one seat, the second in all others."""
    players = config.game.num_players
    table = Table(
        title=f"{config.name}: {players} players, {config.evaluation.final_deals} deals, "
        f"moves {'sampled' if config.evaluation.mode == 'sample' else 'by likelihood'}",
        caption=f"win %: per seat held, a shared win shared; fair is {100 / players:.1f}. margin: "
        "points more than the mean of the others. points, denied: own : theirs, a seat and game; "
        "denied are path points lost for want of the right to score.",
        box=box.SIMPLE,
        pad_edge=False,
    )
    # Nothing is cut short on a narrow terminal; long names go into two lines so that all figures
    # stand in one at 80 columns.
    for title in ("agent", "against"):
        table.add_column(title, overflow="fold", max_width=10)
    for title in ("win %", "(95 %)", "margin", "points", "denied"):
        table.add_column(title, justify="right", overflow="fold")
    for index, summary in enumerate(summaries):
        (name, own), (rival, other) = summary.agents.items()
        low, high = own.win_rate_ci95
        table.add_row(
            # The policy is named by the path of its run, too long for a table.
            Text(config.name if index < len(config.evaluation.opponents) else name),
            Text(rival),
            f"{100 * own.win_rate:.1f}",
            f"({100 * low:.1f}..{100 * high:.1f})",
            f"{summary.margin:+.2f}",
            f"{own.mean_score:.1f} : {other.mean_score:.1f}",
            f"{own.denied_points:.1f} : {other.denied_points:.1f}",
        )
    return table


def save_sample_games(run: RunFolder, config: Experiment) -> Path:
    """Plays five games of the policy against the last of its opponents, one in each seat in turn.

    Returns:
        The picture of the last game's end.
    """
    match = _play_samples(run, config)
    names = (str(run.path), config.evaluation.opponents[-1])
    for index in range(SAMPLE_GAMES):
        record = record_from_match(
            match.initial,
            match.game_actions(index),
            [names[agent] for agent in match.seating[index]],
            index=index,
            deal=f"user seed {config.seed} game {index}",
        )
        save_record(record, run.games / f"game{index + 1}.arb")
    last = SAMPLE_GAMES - 1
    scene = scene_of_state(match.final.select([last]), names=record.seats)
    picture = run.games / f"game{last + 1}.svg"
    picture.write_text(scene_svg(scene), encoding="utf-8")
    return picture


def _play_samples(run: RunFolder, config: Experiment) -> MatchResult:
    players = config.game.num_players
    game_ids = np.arange(SAMPLE_GAMES, dtype=np.uint64)
    seating = np.ones((SAMPLE_GAMES, players), np.int64)
    seating[np.arange(SAMPLE_GAMES), np.arange(SAMPLE_GAMES) % players] = 0
    agents = [
        make_agent(spec, config.game, mode=config.evaluation.mode)
        for spec in (str(run.path), config.evaluation.opponents[-1])
    ]
    for agent in agents:
        agent.reset(game_ids, config.seed)
    root = root_from_seed(config.seed, Purpose.USER)
    return play_match(
        deal(config.game, root, game_ids), agents, seating, game_ids, keep_actions=True
    )


def _game_options(game: GameConfig) -> str:
    """Options of `arboretum evaluate` that make this game, where they are not the defaults."""
    usual = GameConfig(num_players=game.num_players)
    options = [f" --players {game.num_players}"]
    if game.species != usual.species:
        options.append(f" --species {game.species}")
    if game.num_ranks != usual.num_ranks:
        options.append(f" --ranks {game.num_ranks}")
    if game.hand_size != usual.hand_size:
        options.append(f" --hand-size {game.hand_size}")
    if game.starting_discards:
        options.append(" --starting-discards")
    if not game.cancel_eights:
        options.append(" --keep-eights")
    if game.rights != usual.rights:
        options.append(f" --rights {game.rights}")
    return "".join(options)


def _print_next_steps(console: Console, run: RunFolder, config: Experiment, picture: Path) -> None:
    players = config.game.num_players
    arboretum = program()
    lines = (
        f"run folder: {run.path} (what it is: {run.model_card})",
        f"a game as a picture: {picture}",
        "try next:",
        f"  {arboretum} replay {run.games / 'game1.arb'}",
        f"  {arboretum} render {run.games / 'game1.arb'} --turn 10",
        f"  {arboretum} evaluate {run.path} greedy{_game_options(config.game)} --deals 1000",
        f"  {arboretum} train configs/selfplay_{players}p.yaml",
        f"  {program('tensorboard')} --logdir {run.tensorboard}",
    )
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
