/** What the names of encrypted files end with. */
export const encryptedEnding = '.age'

export function decryptedName(filename: string) {
  return filename.toLowerCase().endsWith(encryptedEnding) ? filename.slice(0, -encryptedEnding.length) : filename
}

const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const beginning = 'AGE-SECRET-KEY-1'
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/**
 * Whether it is a key as age-keygen writes it. Its last six letters are a sum of the others (bech32, BIP 173): a key that was
 * mistyped key is refused at the start, and not when the first backup is encrypted.
 */
export function isAgeKey(text: string) {
  if (!/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/.test(text)) return false
  const prefix = [...beginning.slice(0, -1).toLowerCase()].map((letter) => letter.charCodeAt(0))
  const data = [...text.slice(beginning.length).toLowerCase()].map((letter) => letters.indexOf(letter))
  const summed = [...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...data]
  return !data.includes(-1) && summed.reduce(addToSum, 1) === 1
}

function addToSum(sum: number, value: number) {
  const next = ((sum & 0x1ffffff) << 5) ^ value
  return generator.reduce((total, part, bit) => ((sum >> (25 + bit)) & 1 ? total ^ part : total), next)
}
