import { endpoint } from './endpoint.ts'

export const adminPage = endpoint({
  method: 'GET',
  path: '/admin',
  access: 'public',
  summary: 'The dashboard; leads to the sign-in page when signed out.',
})

export const signInPage = endpoint({
  method: 'GET',
  path: '/admin/login',
  access: 'public',
  summary: 'The sign-in page; leads to the dashboard when signed in.',
})
