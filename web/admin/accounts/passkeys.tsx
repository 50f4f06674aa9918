import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
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
import { DeleteButton } from '../../ui/icon-button.tsx'
import { useChange } from '../changes.ts'
import { ConfirmCall } from '../confirm-call.tsx'
import { callConfirmed, NotConfirmed } from '../confirmation/confirmed.ts'
import { FormDialog, useSentForm } from '../form-dialog.tsx'
import { InputField } from '../input-field.tsx'
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

/** Instead of the password, for those who have one. */
export function useConfirmByPasskey(onConfirmed: () => void) {
  const { data: own = [] } = useQuery(passkeysQuery)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => call(confirmByPasskey, { body: await answerHere(own) }),
    onSuccess: onConfirmed,
  })
  const isOffered = own.length > 0 && !passkeysMissing()
  return { isOffered, isPending, error, use: () => isPending || mutate() }
}

/** The site is checked for accounts without a second way in. */
const changed = [listPasskeys.path, readOverview.path]

export function PasskeysDialog({ onClose }: { onClose(): void }) {
  const admin = useAdminTexts()
  const t = admin.accounts.passkeys
  const notices = useNotices()
  const passkeys = useQuery(passkeysQuery)
  const [removing, setRemoving] = useState<Passkey>()
  const missing = passkeysMissing()
  const form = useForm({ values: { name: useFreeName(passkeys.data) }, resetOptions: { keepDirtyValues: true } })
  const add = useChange(({ name }: { name: string }) => addHere(name), changed)
  const added = () => {
    notices.done(t.addDone(form.getValues('name').trim()))
    form.reset(undefined, { keepDirtyValues: false })
  }
  const sent = useSentForm(form, add, { failed: t.faults.failed, onClose: added })
  return (
    <FormDialog
      title={t.title}
      description={t.text}
      submitLabel={missing ? undefined : sent.busy ? t.adding : t.add}
      {...sent}
      onClose={onClose}
    >
      <ListStates query={passkeys} words={t}>
        {(all) => (
          <ul className="-mt-6">
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
        <p className="border-l-4 border-brass bg-brass/10 px-4 py-3">{t.faults[missing]}</p>
      ) : (
        <InputField
          form={form}
          name="name"
          isMarked
          label={t.name}
          missing={t.nameMissing}
          maxLength={60}
          autoComplete="off"
          autoCapitalize="words"
          readOnly={sent.busy}
        />
      )}
      {removing && <RemovePasskey passkey={removing} onClose={() => setRemoving(undefined)} />}
    </FormDialog>
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
