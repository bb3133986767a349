import { rightsContract } from '../rights-contract'
import { realAccess } from './real-access'

rightsContract(realAccess)
