"""What an analysis is about: a game of the studio, or a record that the page brings.

Of a game that goes on, a browser is told about its own seats alone, from what they see. A finished
game and a record are open books: every seat, and all cards.
"""

from dataclasses import dataclass

from arboretum_env.errors import RecordError
from arboretum_env.records.record import GameRecord
from arboretum_env.view import PlayerView
from arboretum_lab.play.session import display_name
from arboretum_lab.studio.errors import RefusedError
from arboretum_lab.studio.records import parse_record
from arboretum_lab.studio.studio import Studio
from arboretum_training.analysis.story import Course, Story, course_of_record, story


@dataclass(frozen=True)
class Subject:
    """A game to be analysed.

    Attributes:
        record: all of it; what may be told of it is up to ``open``.
        open: whether everything may be told.
    """

    record: GameRecord
    open: bool

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called."""
        return tuple(
            display_name(spec) if spec else f"Seat {seat}"
            for seat, spec in enumerate(self.record.seats)
        )

    def course(self) -> Course:
        """The positions.

        Raises:
            RecordError: an illegal move.
        """
        return course_of_record(self.record)

    def story(self, seat: int) -> Story:
        """The game as a seat saw it.

        Raises:
            RecordError: it has no such seat, or does not say what the seat held.
        """
        self.check_seat(seat)
        return story(self.course(), seat)

    def view(self, at: int | None, seat: int) -> PlayerView:
        """What a seat knew after so many decisions, or knows now.

        Raises:
            RecordError: no such position or seat, or the record does not say what it saw there.
        """
        self.check_seat(seat)
        game = self.course()
        last = len(game.actions)
        if at is not None and not 0 <= at <= last:
            raise RecordError(f"position {at}: expected 0..{last} in this game")
        return game.view(last if at is None else at, seat)

    def check_seat(self, seat: int) -> None:
        """Refuses a seat that the game does not have.

        Raises:
            RecordError: the message says which there are.
        """
        players = self.record.config.num_players
        if not 0 <= seat < players:
            raise RecordError(f"seat {seat}: expected 0..{players - 1}")


def subject_of_game(studio: Studio, owner: str, game_id: str, seat: int | None) -> Subject:
    """A game that the browser plays, or has played.

    Args:
        studio: where it is kept.
        owner: hash of the browser's token.
        game_id: its name.
        seat: whose standpoint; None: with open cards.

    Raises:
        RefusedError: no such game, or it goes on and that is not the browser's to see.
    """
    game = studio.store.find(game_id, owner)
    with game.lock:
        done = game.session.done
        if not done:
            if seat is None:
                raise RefusedError("not_now", "the cards are open when the game is over")
            game.check_seat(owner, seat)
        return Subject(game.session.record(), open=done)


def subject_of_record(text: str) -> Subject:
    """A record that the page brings.

    Raises:
        RecordError: it cannot be read.
    """
    return Subject(parse_record(text), open=True)
