import type { Request } from './request'
import { apiRequests } from './requests-api'
import { headerRequests } from './requests-headers'
import { oauthRequests } from './requests-oauth'
import { pathRequests } from './requests-paths'
import { wireRequests } from './requests-wire'

/** What is put to the gateway in its own tests, and to both sides by `npm run differential`. */
export const requests: Request[] = [
  ...apiRequests,
  ...pathRequests,
  ...headerRequests,
  ...oauthRequests,
  ...wireRequests,
]
