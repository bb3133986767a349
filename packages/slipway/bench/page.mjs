// What an open page of the console costs the cluster: it lists the runs of a namespace and what they belong to, and
// watches them all, through the API port.
import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { parse } from 'yaml'

const namespace = 'team-payments'
const tekton = `/apis/tekton.dev/v1/namespaces/${namespace}`
const platform = `/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}`
const lists = [
  `${tekton}/pipelineruns`,
  `${tekton}/taskruns`,
  ...['applications', 'components', 'snapshots', 'releases'].map((plural) => `${platform}/${plural}`),
]

/**
 * Opens the page as the built-in user `admin`.
 * @param {string} data data folder of a running `npm start`
 * @returns {Promise<() => void>} closes the page
 */
export async function openPage(data) {
  /** @type {{ clusters: any[], users: any[] }} */
  const { clusters, users } = parse(await readFile(join(data, 'kubeconfig'), 'utf8'))
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster
  const { token } = users.find(({ name }) => name === 'admin').user
  const options = { ca: Buffer.from(ca, 'base64'), headers: { authorization: `Bearer ${token}` } }
  const watches = await Promise.all(
    lists.map(async (path) => {
      const { metadata } = await read(`${server}${path}`, options)
      const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${metadata.resourceVersion}`
      return request(`${server}${path}?${query}`, options, (response) => response.resume()).end()
    }),
  )
  return () => {
    for (const watch of watches) watch.on('error', () => {}).destroy()
  }
}

/**
 * @param {string} url
 * @param {import('node:https').RequestOptions} options
 * @returns {Promise<any>} the JSON of the response
 */
const read = (url, options) =>
  new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (/** @type {string} */ chunk) => (text += chunk))
      response.on('end', () => resolve(JSON.parse(text)))
    })
    call.on('error', reject).end()
  })
