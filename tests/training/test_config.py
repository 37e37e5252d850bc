"""Experiments: read, checked, written and overridden; every fault names its key on one line."""

from pathlib import Path

import pytest
import tyro
from pydantic import ValidationError

from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_training.config import (
    BudgetConfig,
    ExperimentConfig,
    dump_experiment,
    follow_players,
    load_experiment,
)
from arboretum_training.opponents.pool import make_bot

MINIMAL = "name: tiny\nbudget: {decisions: 1_000}\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "experiment.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_minimal_experiment_gets_the_defaults(tmp_path: Path) -> None:
    config = load_experiment(write(tmp_path, MINIMAL))
    assert config.name == "tiny"
    assert config.budget.decisions == 1000
    assert config.game == GameConfig()
    assert (config.rollout.games, config.rollout.turns) == (256, 16)
    assert (config.ppo.clip, config.ppo.gamma, config.ppo.lam) == (0.2, 1.0, 0.95)
    assert config.evaluation.opponents == ("random", "greedy")


def test_a_budget_that_is_left_out_is_the_one_that_the_help_shows(tmp_path: Path) -> None:
    config = load_experiment(write(tmp_path, "name: tiny\n"))
    assert config.budget == BudgetConfig(decisions=2_000_000)
    assert config == ExperimentConfig(name="tiny")


@pytest.mark.parametrize(("players", "species"), [(2, 6), (3, 8), (4, 10)])
def test_the_number_of_players_decides_the_species(
    tmp_path: Path, players: int, species: int
) -> None:
    text = MINIMAL + f"game: {{num_players: {players}}}\n"
    assert load_experiment(write(tmp_path, text)).game.num_species == species


def test_what_is_dumped_is_what_is_loaded(tmp_path: Path) -> None:
    text = (
        "name: all\nseed: 9223372036854775807\nbudget: {minutes: 0.1}\n"
        "game: {num_players: 3, species: 5, num_ranks: 5, hand_size: 4, rights: all}\n"
        "ppo: {learning_rate: 3e-4, value_clip: 0.2, entropy: 1.0e-7}\n"
        "evaluation: {opponents: ['search:seconds=0.5', runs/a b], every: 7}\n"
    )
    config = load_experiment(write(tmp_path, text))
    assert config.ppo.learning_rate == 3e-4  # YAML 1.1 takes 3e-4 for a text
    assert load_experiment(write(tmp_path, dump_experiment(config))) == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            MINIMAL + "ppo: {learning_rat: 1}\n",
            "ppo.learning_rat: unknown key, did you mean learning_rate?",
        ),
        (MINIMAL + "zzz: 1\n", "zzz: unknown key, expected one of name, trainer, seed"),
        (MINIMAL + "ppo: {clip: -1}\n", "ppo.clip -1: expected more than 0"),
        (MINIMAL + "ppo: {lam: .nan}\n", "ppo.lam nan: expected a finite number"),
        (MINIMAL + "ppo: 3\n", "ppo 3: expected keys and values"),
        (MINIMAL + "game: {num_players: 7}\n", "game: num_players 7: expected at most 4"),
        (MINIMAL + "game: {players: 3}\n", "game: players: unknown key, did you mean num_players?"),
        (MINIMAL + "evaluation: {opponents: []}\n", "evaluation: opponents []: expected different"),
        (
            MINIMAL + "evaluation: {opponents: [a, a]}\n",
            "evaluation: opponents ['a', 'a']: expected",
        ),
        ("budget: {decisions: 1}\n", "name: missing"),
        (
            "name: ../up\nbudget: {decisions: 1}\n",
            "name '../up': expected a text of the form ^[A-Za-z0-9]",
        ),
        ("name: a\nbudget: {}\n", "budget: expected either decisions or minutes"),
        ("name: a\nbudget: {decisions: 1, minutes: 1}\n", "budget: expected either decisions or"),
        (
            "name: a\nbudget: {decisions: many}\n",
            "budget.decisions 'many': expected an integer",
        ),
        ("", "expected keys and values, given nothing"),
        ("- a\n", "expected keys and values, given a list"),
        ("17\n", "expected keys and values, given a single value"),
        ("name: [a\n", "is not YAML: while parsing a flow sequence"),
        ("name: !!python/object/apply:os.system [x]\n", "is not YAML: could not determine"),
        ("a: " + "[" * 5000, "is not YAML"),
    ],
)
def test_a_fault_is_one_line_that_names_file_and_key(
    tmp_path: Path, text: str, message: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ConfigError) as error:
        load_experiment(path)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "pool: {latest: 0.8, bots: [greedy], bot_share: 0.3}",
            "pool: latest 0.8 and bot_share 0.3: expected at most 1",
        ),
        ("pool: {bots: [greedy]}", "pool: bots ['greedy'] with bot_share 0: expected both or none"),
        ("pool: {latest: 0.5, bot_share: 0.3}", "pool: bots [] with bot_share 0.3: expected both"),
        (
            "pool: {latest: 0.5, bots: [a, a], bot_share: 0.1}",
            "pool: bots ['a', 'a']: expected different",
        ),
        ("pool: {prioriti: hard}", "pool.prioriti: unknown key, did you mean priority?"),
        ("pool: {priority: best}", "pool.priority 'best': expected"),
        ("pool: {floor: 2}", "pool.floor 2: expected"),
        ("league: {exploiters: 1}", "league: exploiters 1 with exploiter_share 0: expected both"),
        (
            "league: {exploiter_share: 0.1}",
            "league: exploiters 0 with exploiter_share 0.1: expected",
        ),
        (
            "league: {exploiters: 1, exploiter_share: 1}",
            "league.exploiter_share 1: expected less than 1",
        ),
        ("league: {threshold: 0.5}", "league.threshold 0.5: expected more than 0.5"),
        (
            "league: {exploiters: 1, exploiter_share: 0.1}",
            "league.exploiters 1 with pool.latest 1 and pool.bot_share 0: expected less than 1",
        ),
        (
            "pool: {latest: 0.9, bots: [greedy], bot_share: 0.1}\nleague: {mains: 2}",
            "league.mains 2 with pool.latest 0.9 and pool.bot_share 0.1: expected less than 1",
        ),
        ("trainer: sb3\npool: {priority: hard}", "pool.priority: unknown key"),
        ("trainer: sb3\nleague: {mains: 2}", "league: unknown key"),
        ("trainer: rllib\npool: {priority: hard}", "pool.priority: unknown key"),
    ],
)
def test_shares_of_opponents_that_do_not_fit(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_experiment(write(tmp_path, MINIMAL + text + "\n"))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rollout: {runners: 3}", "rollout.runners 3: expected a divisor of rollout.games 256"),
        ("rollout: {runners: -1}", "rollout.runners -1: expected at least 0"),
        ("ppo: {value_clip: 0.2}", "ppo.value_clip 0.2: expected none"),
        ("ppo: {minibatches: 7}", "ppo.minibatches 7: expected a divisor of the 20480 decisions"),
        ("budget: {minutes: 3}", "budget.minutes: expected budget.decisions"),
        ("seed: 4294967296", "seed 4294967296: expected less than 4294967296"),
    ],
)
def test_what_rllib_cannot_do_is_refused(tmp_path: Path, text: str, message: str) -> None:
    minimal = MINIMAL.splitlines()[0] + "\ntrainer: rllib\n"
    with pytest.raises(ConfigError) as error:
        load_experiment(write(tmp_path, minimal + text + "\n"))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_league_is_read_written_and_changed(tmp_path: Path) -> None:
    text = (
        "pool: {latest: 0.7, bots: [planner@1], bot_share: 0.1, priority: hard, power: 2}\n"
        "league: {exploiters: 1, exploiter_share: 0.125, begin: fresh}\nstart_from: runs/a b\n"
    )
    config = load_experiment(write(tmp_path, MINIMAL + text))
    assert isinstance(config, ExperimentConfig)
    assert config.pool.snapshot_share == pytest.approx(0.2)
    assert config.league.begin == "fresh"
    assert config.start_from == Path("runs/a b")
    assert load_experiment(write(tmp_path, dump_experiment(config))) == config
    changed = tyro.cli(
        ExperimentConfig,
        default=config,
        args=["--start-from", "runs/c", "--pool.floor", "0.5", "--league.threshold", "0.7"],
    )
    assert changed.start_from == Path("runs/c")
    assert (changed.pool.floor, changed.league.threshold) == (0.5, 0.7)
    assert changed.pool.bots == ("planner@1",)


def test_an_experiment_that_says_nothing_of_opponents_is_self_play_alone() -> None:
    config = ExperimentConfig(name="a")
    assert (config.pool.latest, config.pool.snapshot_share, config.pool.bots) == (1.0, 0.0, ())
    assert (config.league.mains, config.league.exploiters) == (1, 0)
    assert config.start_from is None


ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", sorted(ROOT.glob("configs/*.yaml")), ids=lambda path: path.stem)
def test_every_configuration_that_ships_is_sound(path: Path) -> None:
    config = load_experiment(path)
    assert config.name == path.stem
    if isinstance(config, ExperimentConfig):
        for spec in config.pool.bots:
            make_bot(spec, config.game)
        if path.stem.startswith("league"):
            assert 0.7 <= config.pool.latest <= 0.8
            assert 0 < config.league.exploiter_share <= 0.15
            assert config.pool.snapshot_share > 0.1


def test_every_faulty_key_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "name: a\nbudget: {decisions: 1}\nppo: {clip: 2, lam: 3}\nthreads: 0\n")
    with pytest.raises(ConfigError) as error:
        load_experiment(path)
    assert all(key in str(error.value) for key in ("ppo.clip 2:", "ppo.lam 3:", "threads 0:"))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.yaml: cannot be read: No such file"):
        load_experiment(tmp_path / "gone.yaml")
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00\xff")
    with pytest.raises(ConfigError, match=r"binary\.yaml: is not YAML"):
        load_experiment(binary)


def test_experiments_do_not_change() -> None:
    config = ExperimentConfig(name="a", budget=BudgetConfig(decisions=1))
    with pytest.raises(ValidationError, match="frozen"):
        config.ppo.clip = 0.5  # type: ignore[misc]


def test_the_command_line_reads_the_same_classes(tmp_path: Path) -> None:
    config = load_experiment(write(tmp_path, MINIMAL + "ppo: {clip: 0.1}\n"))
    changed = tyro.cli(
        ExperimentConfig,
        default=config,
        args=["--ppo.learning-rate", "3e-4", "--evaluation.opponents", "greedy", "planner"],
    )
    assert changed.ppo.learning_rate == 3e-4
    assert changed.ppo.clip == 0.1
    assert changed.evaluation.opponents == ("greedy", "planner")
    assert changed.game == config.game


@pytest.mark.parametrize(
    ("game", "options", "species"),
    [
        ("{}", ["--game.num-players", "3"], GameConfig(num_players=3).species),
        ("{}", ["--game.num-players", "4", "--game.num-ranks", "5"], "CDJVLGMPOW"),
        ("{num_players: 4}", ["--game.num-players", "2"], "CDJVLG"),
        ("{species: CDJVLM}", ["--game.num-players", "3"], "CDJVLM"),  # chosen in the file
        ("{}", ["--game.num-players", "3", "--game.species", "CDJVLGM"], "CDJVLGM"),  # by option
        ("{species: MPOWCD}", ["--game.num-ranks", "6"], "MPOWCD"),
    ],
)
def test_default_species_follow_the_number_of_players(
    tmp_path: Path, game: str, options: list[str], species: str
) -> None:
    loaded = load_experiment(write(tmp_path, MINIMAL + f"game: {game}\n"))
    changed = tyro.cli(ExperimentConfig, default=loaded, args=options)
    result = follow_players(loaded, changed)
    assert result.game.species == species
    assert result.game.num_players == changed.game.num_players
    assert result.game.num_ranks == changed.game.num_ranks


def test_progress_by_decisions_or_by_minutes() -> None:
    assert BudgetConfig(decisions=200).progress(50, 1e9) == 0.25
    assert BudgetConfig(minutes=2).progress(10**9, 30.0) == 0.25
    assert BudgetConfig(decisions=200).progress(201, 0.0) > 1
