import { open } from 'node:fs/promises'
import type { OpenFile } from './storage.ts'

/** A file of this machine. */
export async function openFile(file: string): Promise<OpenFile> {
  const handle = await open(file, 'r')
  const { size } = await handle.stat()
  return {
    bytes: size,
    file,
    async read(start, bytes, memory) {
      const { buffer, bytesRead } = await handle.read(roomFor(bytes, memory), 0, bytes, start)
      if (bytesRead !== bytes) throw new Error(`The file ends before ${start + bytes}.`)
      return buffer
    },
    close: () => handle.close(),
  }
}

export function roomFor(bytes: number, memory?: Buffer) {
  return memory && memory.length >= bytes ? memory.subarray(0, bytes) : Buffer.allocUnsafeSlow(bytes)
}
