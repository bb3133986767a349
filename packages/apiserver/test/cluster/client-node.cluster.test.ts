import { describe } from 'vitest'
import { clientNodeSuite } from '../client-node-suite'
import { realServer } from './real-server'

describe('@kubernetes/client-node', () =>
  clientNodeSuite(async () => {
    const { url, token, ca } = realServer()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return {
      url,
      token,
      ca,
      post: (path, body) => fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    }
  }))
