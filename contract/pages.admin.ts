import { endpoint } from './endpoint.ts'
import { adminPath, signInPath } from './page-paths.ts'

export const adminPage = endpoint({
  method: 'GET',
  path: adminPath,
  access: 'public',
  summary: 'The dashboard; leads to the sign-in page when signed out.',
})

export const signInPage = endpoint({
  method: 'GET',
  path: signInPath,
  access: 'public',
  summary: 'The sign-in page; leads to the dashboard when signed in.',
})
