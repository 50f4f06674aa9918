declare module '*.jpg?photo' {
  const source: import('./ui/photo.tsx').PhotoSource
  export default source
}
