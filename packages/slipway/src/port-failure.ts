import { StartError } from './start-error'

/** For whoever chose a port that cannot be had. Other failures are thrown on. */
export const portFailure = (port: number, flag: string) => (error: unknown) => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    throw new StartError(`Port ${port} is already in use; stop what listens there or choose another port with ${flag}.`)
  }
  if (code === 'EACCES') {
    throw new StartError(`Port ${port} is not allowed for this account; choose one above 1023 with ${flag}.`)
  }
  throw error
}
