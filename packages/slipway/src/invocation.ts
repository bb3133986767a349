/** Whether the program was installed as a package, rather than built in a clone of the repository. */
const isInstalled = /[\\/]node_modules[\\/]/.test(import.meta.url)

/** What users type before the arguments of the command, for messages that say what to run. */
export const invocation = isInstalled ? 'slipway' : 'npm start --'
