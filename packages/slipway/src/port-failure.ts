import { StartError } from './start-error'

/** Turns the error of an unavailable port into a StartError; rethrows other errors. */
export const portFailure = (port: number, flag: string) => (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    throw new StartError(
      `Port ${port} is already in use. Stop the program that listens there, or choose another port with ${flag}.`,
    )
  }
  if (code === 'EACCES') {
    throw new StartError(`Port ${port} is not allowed for this account. Choose a port above 1023 with ${flag}.`)
  }
  if (code !== undefined) throw new StartError(`Port ${port} of ${flag} cannot be used (${String(code)}).`)
  throw error
}
