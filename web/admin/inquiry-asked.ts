const key = 'inquiry'

/** The id of the inquiry that a link in a mail leads to: `/admin?inquiry=<id>`. */
export function inquiryAsked() {
  return new URLSearchParams(location.search).get(key) ?? undefined
}

/** The same for an address that is to lead there by way of the sign-in page. */
export function askedQuery() {
  const id = inquiryAsked()
  return id ? { [key]: id } : {}
}

/** Otherwise the next reload would open it again. */
export function forgetAsked() {
  const address = new URL(location.href)
  address.searchParams.delete(key)
  history.replaceState(history.state, '', address)
}
