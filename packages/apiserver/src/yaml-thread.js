import { parentPort } from 'node:worker_threads'
import { readYaml } from './http/yaml.js'

/** The worker thread of `yaml-worker.ts`: a text in, what was read or the message of its error out. */
parentPort?.on('message', (/** @type {string} */ text) => {
  try {
    parentPort?.postMessage({ document: readYaml(text) })
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
})
