import { contactKey } from '#contract/contacts.admin.ts'

/** The id of the message that a link in a mail leads to. */
export function openedContact() {
  return new URLSearchParams(location.search).get(contactKey) ?? undefined
}

/** The same for an address that is to lead there by way of the sign-in page. */
export function askedQuery() {
  const id = openedContact()
  return id ? { [contactKey]: id } : {}
}

/** Otherwise the next reload would open it again. */
export function forgetAsked() {
  const address = new URL(location.href)
  address.searchParams.delete(contactKey)
  history.replaceState(history.state, '', address)
}
