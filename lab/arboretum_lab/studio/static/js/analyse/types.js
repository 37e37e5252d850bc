// @ts-check
/**
 * What analyses answer (`arboretum_training.analysis`). Only types: nothing here runs.
 *
 * @typedef {object} Figure a number that says where it comes from
 * @property {number} value
 * @property {"exact"|"monte_carlo"|"network"} source
 * @property {number} [n] samples
 * @property {[number, number]} [interval] at 95 %
 *
 * @typedef {object} Method
 * @property {string} agent whose chances and beliefs are shown
 * @property {string} reference who plays worlds to their end
 * @property {number} worlds
 *
 * @typedef {object} Seen a position as a seat sees it
 * @property {number} players
 * @property {{species: string}} config
 * @property {number} seat
 * @property {number} mover
 * @property {import("../types.js").PhaseName} phase
 * @property {number} turn
 * @property {number} deck
 * @property {string[]} names
 * @property {string[]} hand
 * @property {Record<string, string[]>} known
 * @property {string[][]} piles
 * @property {string|null} chosen
 * @property {string[]} boards
 * @property {string} text
 * @property {string[]} moves
 *
 * @typedef {object} Chances
 * @property {string} best
 * @property {string} explanation
 * @property {{move: string, chance: Figure}[]} moves
 * @property {Record<string, Figure>} cards
 * @property {Record<string, Figure>} cells
 * @property {Figure|null} value
 *
 * @typedef {object} SeatRight
 * @property {number} seat
 * @property {number} known_sum
 * @property {Figure} expected_sum
 * @property {Figure} right
 * @property {string[]} path
 * @property {number} path_points
 * @property {number} potential
 * @property {Figure} expected_points
 *
 * @typedef {{species: string, seats: SeatRight[]}} RightsRow
 *
 * @typedef {Record<string, Record<string, Figure>>} Beliefs by seat and card
 *
 * @typedef {{card: string, rivals: Figure, own: Figure, margin: Figure}} Denied
 *
 * @typedef {object} PositionFound
 * @property {Method} method
 * @property {number} at decisions of all seats so far
 * @property {number} last_at where the game stands
 * @property {Figure} margin
 * @property {Figure} win_chance
 * @property {Chances|null} chances
 * @property {RightsRow[]} rights
 * @property {{uniform: Beliefs, network: Beliefs|null}} beliefs
 * @property {Denied[]} denied
 *
 * @typedef {Seen & PositionFound} PositionResult
 *
 * @typedef {object} Swing
 * @property {number} at
 * @property {number} turn
 * @property {string} phase
 * @property {string} move
 * @property {Figure} margin
 * @property {Figure} win_chance
 * @property {Figure} decision
 * @property {Figure} luck
 * @property {"draw"|"rivals"|"none"} luck_of
 * @property {Figure} after
 * @property {Figure} swing
 * @property {boolean} mistake
 *
 * @typedef {object} Split
 * @property {number} seat
 * @property {Figure} start
 * @property {Figure} last
 * @property {Figure} last_win_chance
 * @property {Figure} decisions
 * @property {Figure} draws
 * @property {Figure} rivals
 * @property {Swing[]} swings
 *
 * @typedef {object} GameResult
 * @property {Method} method
 * @property {string[]} names
 * @property {number} last_at
 * @property {number} standpoint
 * @property {Split} split
 * @property {Figure[]|null} network_values
 *
 * @typedef {{at: number, mover: number, margins: Figure[], win_chances: Figure[]}} OpenPoint
 *
 * @typedef {object} OpenResult
 * @property {Method} method
 * @property {string[]} names
 * @property {number} last_at
 * @property {OpenPoint[]} points
 *
 * @typedef {object} MistakesResult
 * @property {Method} method
 * @property {string[]} names
 * @property {number} standpoint
 * @property {(Seen & {at: number})[]} mistakes
 *
 * @typedef {object} Attempt
 * @property {string} tried
 * @property {Figure} gap
 * @property {string} played
 * @property {Figure} played_gap
 * @property {Figure} better
 * @property {string} reference
 * @property {string} explanation
 *
 * @typedef {object} Subject what is analysed
 * @property {string} [game] id of a game of the studio
 * @property {string} [arb] text of a record
 * @property {string[]} names of the seats
 * @property {number[]} seats whose standpoint may be taken
 * @property {boolean} open whether all cards may be looked at
 * @property {string} title
 *
 * @typedef {object} Desk what the parts of the view share
 * @property {Subject} subject
 * @property {() => number} seat the standpoint
 * @property {() => Method} method
 * @property {import("../types.js").ViewContext} context
 * @property {(at: number) => void} lookAt shows a position
 */

export {};
