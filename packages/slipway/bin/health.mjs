// The health check of the image: exits with 0 if what runs in this container is healthy. SLIPWAY_PORT is its port.
import http from 'node:http'
import https from 'node:https'

const port = process.env.SLIPWAY_PORT || 8080
const timeout = 4_000

/** @param {typeof http | typeof https} protocol */
const isHealthy = (protocol) =>
  new Promise((resolve) => {
    // The certificate is for the name in browsers.
    const options = { host: '127.0.0.1', port, path: '/health', timeout, rejectUnauthorized: false }
    const request = protocol.get(options, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })

process.exit((await isHealthy(http)) || (await isHealthy(https)) ? 0 : 1)
