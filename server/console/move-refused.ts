/** A move that would not end well, with what to do. */
export class MoveRefused extends Error {}
