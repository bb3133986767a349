/** There are no passwords, so nothing may listen for other machines. */
export const host = '127.0.0.1'
