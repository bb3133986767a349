/** String formats that are checked; others are ignored, as in the real server. */

const octet = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const ipv4 = new RegExp(`^${octet}(\\.${octet}){3}$`)
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const date = /^(\d{4})-(\d\d)-(\d\d)$/
const dateTime = /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const hostname = /^([a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)(\.[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?)*\.?$/

const isIpv6 = (text: string) => text.includes(':') && /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`)

function isDate(text: string): boolean {
  const [, year, month, day] = date.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  if (month < 1 || month > 12 || day < 1) return false
  // Every month has 28 days, so the length of the month is rarely needed.
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  return (ipv4.test(address) && Number(bits) <= 32) || (isIpv6(address) && Number(bits) <= 128)
}

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => isDate(dateTime.exec(text)?.[1] ?? ''),
  datetime: (text) => isDate(dateTime.exec(text)?.[1] ?? ''),
  date: isDate,
  duration: (text) => /^[-+]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+$/.test(text),
  byte: (text) => /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  uri: (text) => text.startsWith('/') || URL.canParse(text),
  email: (text) => /^[^\s@<>]+@[^\s@<>]+$/.test(text),
  hostname: (text) => text.length <= 255 && hostname.test(text),
  ipv4: (text) => ipv4.test(text),
  ipv6: isIpv6,
  cidr: isCidr,
  mac: (text) => /^[0-9a-f]{2}([:-][0-9a-f]{2}){5,7}$/i.test(text),
  uuid: (text) => uuid.test(text),
}

export const matchesFormat = (format: string, text: string): boolean =>
  !Object.hasOwn(checks, format) || checks[format]?.(text) === true
