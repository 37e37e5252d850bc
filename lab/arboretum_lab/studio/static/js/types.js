// @ts-check
/**
 * The shapes that the server sends. Only types: nothing here runs.
 *
 * @typedef {"draw_first"|"draw_second"|"play"|"place"|"discard"|"game_over"} PhaseName
 *
 * @typedef {object} LegalAction
 * @property {number} action flat id, what is posted back
 * @property {"draw_deck"|"draw_discard"|"play"|"place"|"discard"} kind
 * @property {string} [card]
 * @property {number} [seat] whose pile, absolute
 * @property {[number, number]} [cell] true coordinates
 *
 * @typedef {object} SheetRow
 * @property {number[]} held ranks left in hand
 * @property {boolean} cancelled whether the 8 counts 0
 * @property {number} hand_sum
 * @property {string} sum_text
 * @property {boolean} right
 * @property {string} explanation in words
 * @property {string[]} best_path
 * @property {number} path_points
 * @property {number} points
 *
 * @typedef {object} Sheet
 * @property {number[]} scores
 * @property {number[]} winners
 * @property {{distinct_species: number, species: Record<string, SheetRow>}[]} players
 *
 * @typedef {object} LogEvent
 * @property {number} turn
 * @property {number} seat
 * @property {string} event as in a record
 * @property {string} text in words
 *
 * @typedef {object} TableState what one seat knows, or everything in an open replay
 * @property {number} players
 * @property {{species: string, ranks: number, hand_size: number, starting_discards: boolean, cancel_eights: boolean, rights: string}} config
 * @property {number|null} seat
 * @property {number} mover
 * @property {PhaseName} phase
 * @property {number} turn completed turns
 * @property {number} deck
 * @property {boolean} over
 * @property {string[]} names
 * @property {string[]} hand of the seat, in an open replay of the mover
 * @property {string[][]|null} hands all of them, where they may be shown
 * @property {Record<string, string[]>} known
 * @property {number[]} hand_sizes
 * @property {string[][]} piles bottom to top
 * @property {string|null} chosen
 * @property {LegalAction[]} legal
 * @property {{cell: [number, number], action: number}[]} cells where a card may go once it is chosen
 * @property {LogEvent[]} last
 * @property {LogEvent[]} log
 * @property {string[]} boards SVG, one a seat
 * @property {string} text the board in words
 * @property {Sheet|null} sheet
 *
 * @typedef {object} GameFields
 * @property {string} id
 * @property {number} state_id
 * @property {number[]} your_seats
 * @property {string[]} kinds `human`, `guest` or the spec of an agent
 * @property {number[]} awaited guests' seats that no device holds
 * @property {boolean} host whether this browser made the game
 * @property {boolean} thinking whether an agent is
 * @property {{seat: number, message: string}|null} fault
 * @property {string} termination
 * @property {boolean} practice
 * @property {number} takebacks
 * @property {{possible: boolean, reason: string}} undo
 *
 * @typedef {TableState & GameFields} GameState
 *
 * @typedef {object} AgentInfo
 * @property {string} spec
 * @property {string} name
 * @property {string} summary
 * @property {number[]} players
 * @property {number|null} [strength] 1 upwards, for those in an order
 *
 * @typedef {object} ViewContext what a view is given
 * @property {string[]} parts of the address behind the view's name: `#/pad/x/y` -> `["x", "y"]`
 * @property {(hash: string) => void} go to another address, `#/play/...`
 * @property {(text: string) => void} announce to screen readers
 * @property {typeof import("./api.js")} api
 *
 * @typedef {object} ViewModule
 * @property {(root: HTMLElement, context: ViewContext) => void | (() => void) | Promise<void | (() => void)>} mount
 */

export {};
