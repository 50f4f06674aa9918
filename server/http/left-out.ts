/**
 * Takes the place, in the build (see vite.config.ts), of libraries that others bring along and that nothing here ever
 * calls: they were a third of what has to be read at every start.
 */
export default {}
