import { inquiryKey } from '#contract/page-paths.ts'

/** The id of the inquiry that a link in a mail leads to. */
export function inquiryAsked() {
  return new URLSearchParams(location.search).get(inquiryKey) ?? undefined
}

/** The same for an address that is to lead there by way of the sign-in page. */
export function askedQuery() {
  const id = inquiryAsked()
  return id ? { [inquiryKey]: id } : {}
}

/** Otherwise the next reload would open it again. */
export function forgetAsked() {
  const address = new URL(location.href)
  address.searchParams.delete(inquiryKey)
  history.replaceState(history.state, '', address)
}
