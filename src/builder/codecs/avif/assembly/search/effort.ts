/** How hard the encoder looks for the fewest bytes. */

/** Whether somebody waits for the picture, so that it is coded by guesses (quick.ts). Not of drawings. */
export let isQuick = false;

export function setQuick(quick: boolean): void {
  isQuick = quick;
}
