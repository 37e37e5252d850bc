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
 * @property {string} species letter
 * @property {number[]} held ranks left in hand
 * @property {boolean} cancelled
 * @property {number} hand_sum
 * @property {string} sum_text
 * @property {boolean} right
 * @property {string} reason in words
 * @property {string[]} best_path
 * @property {number} path_points
 * @property {number} points
 *
 * @typedef {object} Sheet
 * @property {number[]} scores
 * @property {number[]} winners
 * @property {string} verdict
 * @property {{distinct_species: number, rows: SheetRow[]}[]} players
 *
 * @typedef {object} TableState what one seat knows, or everything in an open replay
 * @property {string} [id]
 * @property {string} [state_id]
 * @property {number} players
 * @property {string[]} species letters in play
 * @property {number|null} seat
 * @property {number} mover
 * @property {PhaseName} phase
 * @property {number} turn completed turns
 * @property {number} deck
 * @property {boolean} over
 * @property {string[]} names
 * @property {string[]} hand
 * @property {Record<string, string[]>} known
 * @property {number[]} hand_sizes
 * @property {string[][]} piles bottom to top
 * @property {string|null} chosen
 * @property {LegalAction[]} legal
 * @property {{seat: number, text: string}[]} last
 * @property {string[]} log events as the seat saw them
 * @property {string[]} boards SVG, one a seat
 * @property {string} text the board in words
 * @property {Sheet|null} sheet
 *
 * @typedef {object} GameFields
 * @property {string} id
 * @property {string} state_id
 * @property {string[]} seats "human" or the spec of an agent
 * @property {number[]} owned seats of this page
 * @property {boolean} practice
 * @property {number} takebacks
 * @property {boolean} can_undo
 * @property {string} undo_reason
 * @property {Record<string, string>} [join] seat -> token of its link
 *
 * @typedef {TableState & GameFields} GameState
 *
 * @typedef {object} AgentInfo
 * @property {string} spec
 * @property {string} name
 * @property {string} summary
 * @property {number[]} players
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
