/** Wrong arguments; the message says which are right. */
export class WrongUse extends Error {}
