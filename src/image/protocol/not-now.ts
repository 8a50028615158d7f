/** Why the builder did not begin a build. */

/** The build did not begin, and nothing of the master was read. */
export interface NotNow {
  ok: false;
  code:
    /** Another build runs here, or it is another space's turn: try later or elsewhere. */
    | "busy"
    /** The order is for another encoder version, as happens during a roll-out: try later. */
    | "version"
    /** The master's file no longer exists. */
    | "gone";
}
