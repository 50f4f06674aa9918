import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { readOverview } from '#contract/overview.ts'
import {
  addPasskey,
  askForPasskey,
  confirmByPasskey,
  listPasskeys,
  type Passkey,
  passkeyAlgorithms,
  removePasskey,
  signInByPasskey,
  startPasskey,
} from '#contract/passkeys.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { DeleteButton } from '../../ui/icon-button.tsx'
import { useChange } from '../changes.ts'
import { ConfirmCall } from '../confirm-call.tsx'
import { callConfirmed, NotConfirmed } from '../confirmation/confirmed.ts'
import { Dialog, DialogActions, DialogBody, DialogError } from '../dialog.tsx'
import { ListStates, Row } from '../list.tsx'
import { useNotices } from '../notices.ts'
import { passkeysMissing } from '../session.ts'
import { dateIn, PasskeyFault, useAdminTexts } from '../texts.ts'
import { sessionsQuery } from './account-calls.ts'
import { deviceIn } from './sessions-dialog.tsx'

/** Oldest first. */
const passkeysQuery = queryOptions({ queryKey: [listPasskeys.path], queryFn: () => call(listPasskeys) })

async function addHere(name: string) {
  const options = await callConfirmed(startPasskey)
  const { id, response } = await fromDevice(
    startRegistration({
      optionsJSON: {
        ...options,
        pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      },
    }),
  )
  const { clientDataJSON, attestationObject, transports = [] } = response
  return callConfirmed(addPasskey, { body: { name, id, clientDataJSON, attestationObject, transports } })
}

export async function signInHere() {
  return call(signInByPasskey, { body: await answerHere() })
}

/** Answers a challenge of the site: by any passkey that the browser offers, or by one of these. */
async function answerHere(own?: readonly Passkey[]) {
  const options = await call(askForPasskey)
  const allowCredentials = own?.map(({ id, transports }) => ({ id, transports, type: 'public-key' as const }))
  const { id, response } = await fromDevice(
    startAuthentication({
      optionsJSON: { ...options, userVerification: 'required', ...(allowCredentials && { allowCredentials }) },
    }),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}

const faults: Record<string, PasskeyFault['fault']> = {
  InvalidStateError: 'known',
  SecurityError: 'address',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
}

async function fromDevice<Answer>(asked: Promise<Answer>) {
  try {
    return await asked
  } catch (error) {
    const { name } = error as Error
    // Closed, left alone, or without a passkey: browsers have said so, and do not tell which.
    if (name === 'NotAllowedError' || name === 'AbortError') throw new NotConfirmed('No passkey was given.')
    throw new PasskeyFault(faults[name] ?? 'failed')
  }
}

type Props = { onConfirmed(): void; onFailed(error: unknown): void }

/** Instead of the password, for who has one. */
export function UsePasskey({ onConfirmed, onFailed }: Props) {
  const t = useAdminTexts()
  const { data: own = [] } = useQuery(passkeysQuery)
  const confirm = useMutation({
    mutationFn: async () => call(confirmByPasskey, { body: await answerHere(own) }),
    onMutate: () => onFailed(undefined),
    onSuccess: onConfirmed,
    onError: onFailed,
  })
  if (own.length === 0 || passkeysMissing()) return null
  return (
    <Button
      icon={KeyRound}
      className="w-full"
      aria-disabled={confirm.isPending}
      onClick={() => confirm.isPending || confirm.mutate()}
    >
      {t.accounts.passkeys.use}
    </Button>
  )
}

/** The site is checked for accounts without a second way in. */
const changed = [listPasskeys.path, readOverview.path]

export function PasskeysDialog({ onClose }: { onClose(): void }) {
  const admin = useAdminTexts()
  const t = admin.accounts.passkeys
  const notices = useNotices()
  const passkeys = useQuery(passkeysQuery)
  const add = useChange(addHere, changed)
  const suggested = useFreeName(passkeys.data)
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [removing, setRemoving] = useState<Passkey>()
  const missing = passkeysMissing()
  const name = typed ?? suggested
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (add.isPending) return
    setFault(name.trim() ? undefined : t.nameMissing)
    if (!name.trim()) return
    add.mutate(name, {
      onSuccess: (added) => {
        notices.done(t.addDone(added.name))
        setTyped(undefined)
      },
      onError: (error) => notices.refused(error, t.faults.failed),
    })
  }
  return (
    <Dialog onClose={onClose} title={t.title} description={t.text}>
      <form onSubmit={submit} noValidate className="contents">
        <DialogBody className="pt-0">
          <ListStates query={passkeys} words={t}>
            {(all) => (
              <ul>
                {all.map((passkey) => {
                  const { id, name, createdAt, usedAt } = passkey
                  const used = usedAt ? dateIn(admin, usedAt, 'minute') : admin.accounts.never
                  const facts = { [t.added]: dateIn(admin, createdAt), [t.used]: used }
                  const remove = <DeleteButton label={t.remove(name)} tip={t.removeTip} onClick={() => setRemoving(passkey)} />
                  return <Row key={id} name={name} facts={facts} actions={remove} />
                })}
              </ul>
            )}
          </ListStates>
          {missing ? (
            <p className="mt-6 border-l-4 border-brass bg-brass/10 px-4 py-3">{t.faults[missing]}</p>
          ) : (
            <Field label={t.name} required={admin.common.required} error={fault} className="mt-6">
              {(slot) => (
                <Input
                  {...slot}
                  value={name}
                  maxLength={60}
                  autoComplete="off"
                  readOnly={add.isPending}
                  onChange={(event) => setTyped(event.currentTarget.value)}
                />
              )}
            </Field>
          )}
        </DialogBody>
        <DialogError>{notices.lasting(add.error, t.faults.failed)}</DialogError>
        {!missing && (
          <DialogActions>
            <Button icon={KeyRound} type="submit" tone="brass" aria-disabled={add.isPending}>
              {add.isPending ? t.adding : t.add}
            </Button>
          </DialogActions>
        )}
      </form>
      {removing && <RemovePasskey passkey={removing} onClose={() => setRemoving(undefined)} />}
    </Dialog>
  )
}

/** "Chrome on Linux", or "Chrome on Linux 2" beside that one; empty until it is known. */
function useFreeName(passkeys: readonly Passkey[] = []) {
  const { sessions } = useAdminTexts().accounts
  const { data } = useQuery(sessionsQuery)
  const own = data?.find(({ current }) => current)
  const device = (own && deviceIn(sessions, own)) ?? ''
  return passkeys.some(({ name }) => name === device) ? `${device} ${passkeys.length + 1}` : device
}

function RemovePasskey({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose(): void }) {
  const t = useAdminTexts().accounts.passkeys
  const remove = useChange((id: string) => callConfirmed(removePasskey, { params: { id } }), changed)
  return (
    <ConfirmCall
      call={remove}
      input={id}
      title={t.removeTitle}
      text={t.removeText(name)}
      action={t.removeTip}
      busy={t.removing}
      failed={t.removeFailed}
      inServersWords
      onDone={() => t.removeDone(name)}
      onClose={onClose}
    />
  )
}
