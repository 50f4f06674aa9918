import { demoAdmin } from '#demo/admin.ts'

/** Why an accepted password is weak. */
export type Weakness = 'common' | 'name' | 'short'

/** Shorter ones can be cracked offline from a leaked hash. */
const longEnough = 12
/** The server refuses shorter ones, with a message of its own. */
const leastTaken = 6

/** Advice only: such a password is accepted. */
export function weaknessOf(password: string, username = ''): Weakness | undefined {
  if (password === '') return undefined
  const typed = sameAs(password)
  if (typed === sameAs(demoAdmin.password) || commonPasswords.has(typed)) return 'common'
  if (username.trim() !== '' && typed === sameAs(username)) return 'name'
  return password.length >= leastTaken && [...password].length < longEnough ? 'short' : undefined
}

function sameAs(text: string) {
  return text.trim().normalize('NFC').toLowerCase()
}

/** The most common passwords of six characters or more, in lower case. */
const list = `
123456 1234567 12345678 123456789 1234567890 123123 123123123 123321 123654 111111 11111111 112233 121212 000000 222222
333333 555555 654321 666666 696969 777777 888888 987654 987654321 999999 159753 147258 147258369 789456 789456123
1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4 qwerty qwerty1 qwerty12 qwerty123 qwertyuiop qazwsx asdfgh asdfghjkl
zxcvbn zxcvbnm abc123 abcdef abcd1234 a1b2c3 aa123456 password password1 password12 password123 passw0rd p@ssw0rd
p@ssword pass123 pass1234 passpass letmein letmein1 welcome welcome1 welcome123 admin1 admin123 admin1234 administrator
changeme default secret master access system google samsung michael charlie jordan jordan23 daniel ashley jessica
michelle nicole andrew thomas george robert killer hunter hunter2 batman superman pokemon starwars dragon monkey tigger
shadow princess sunshine football baseball soccer hockey iloveyou iloveu lovely flower freedom whatever trustno1 computer
internet summer cheese ginger pepper cookie mustang harley ranger buster maggie contraseña contrasena clave123
tequiero estrella mariposa bonita hermosa america guadalupe alejandro
`

export const commonPasswords: ReadonlySet<string> = new Set(list.trim().split(/\s+/))
