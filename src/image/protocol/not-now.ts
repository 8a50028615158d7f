/** Why the builder did not begin. */

/** Not built here and now. Nothing of the master was read. */
export interface NotNow {
  ok: false;
  code:
    /** Something runs here, or the room is another space's turn: try later or elsewhere. */
    | "busy"
    /** The memories of this isolate have grown so far that the build never fits beside them: try elsewhere. */
    | "grown"
    /** The order is for encoders of another version, as during a roll-out: try later. */
    | "version"
    /** The master's file is not there any more. */
    | "gone";
}
