/** Tools for drawings and screenshots, which photographs do not use. */

/** Whether the frame may have palettes (allow_screen_content_tools) and transforms that leave samples in place. */
export let isDrawing = false;

export function setDrawing(value: boolean): void {
  isDrawing = value;
}
