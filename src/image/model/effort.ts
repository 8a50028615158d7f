/** How hard an encoder looks for the smallest file: quickly while somebody waits, and thoroughly for what stays. */
export type Effort = "quick" | "thorough";
