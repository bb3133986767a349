import { parentPort } from 'node:worker_threads'
import { readYaml } from './http/yaml.js'

/** The worker thread of `yaml-worker.ts`: receives text, returns the document or an error message. */
parentPort?.on('message', (/** @type {string} */ text) => {
  try {
    parentPort?.postMessage({ document: readYaml(text) })
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) })
  }
})
