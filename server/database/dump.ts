/** Why a database could not be copied into a file. */
export type DumpFault = 'missing' | 'older' | 'slow' | 'broken'

export class DumpFailed extends Error {
  constructor(
    readonly fault: DumpFault,
    message: string,
  ) {
    super(message)
    this.name = 'DumpFailed'
  }
}
