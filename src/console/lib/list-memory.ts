/** Under which key the store keeps what is known of lists beside their items. */
export const LIST_MEMORY = "list-memory";
