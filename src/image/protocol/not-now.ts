/** Why the builder did not begin. */

/** Not built here and now. Nothing of the master was read. */
export interface NotNow {
  ok: false;
  code:
    /** Something runs here, or the room is another space's turn: try later or elsewhere. */
    | "busy"
    /** Of an older builder: the build never fits beside memories that have grown. Try elsewhere. */
    | "grown"
    /** The order is for encoders of another version, as during a roll-out: try later. */
    | "version"
    /** The master's file is not there any more. */
    | "gone";
}
