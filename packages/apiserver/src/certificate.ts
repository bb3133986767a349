import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** Key and certificate in PEM. */
export interface Certificate {
  key: string
  cert: string
}

const validYears = 10

/** Object identifiers in DER encoding. */
const oid = {
  commonName: '550403',
  ecdsaWithSha256: '2a8648ce3d040302',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
}

/**
 * Creates a self-signed certificate for these host names and IPv4 addresses: kubectl sends its token only over TLS, and
 * trusts the certificate in its kubeconfig. Source: RFC 5280, section 4.1.
 */
export function selfSignedCertificate(hosts: readonly string[], now: Date): Certificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(identifier(oid.ecdsaWithSha256))
  const name = sequence(set(sequence(identifier(oid.commonName), der(0x0c, Buffer.from('slipway')))))
  const until = new Date(now)
  until.setUTCFullYear(until.getUTCFullYear() + validYears)
  const extensions = sequence(
    sequence(identifier(oid.basicConstraints), critical, octets(sequence(der(0x01, Buffer.from([0xff]))))),
    sequence(identifier(oid.subjectAltName), octets(sequence(...hosts.map(alternativeName)))),
  )
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])), // serial number, positive
    algorithm,
    name, // issuer
    sequence(time(now), time(until)),
    name, // subject
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', content, privateKey)
  const certificate = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...contents: Buffer[]): Buffer => der(0x30, ...contents)
const set = (...contents: Buffer[]): Buffer => der(0x31, ...contents)
const octets = (content: Buffer): Buffer => der(0x04, content)
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const critical = der(0x01, Buffer.from([0xff]))

/** UTCTime with a two-digit year until 2049, GeneralizedTime with four digits from then on. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

const alternativeName = (host: string): Buffer =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))
