import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasImpersonate, type Program } from './builds'
import { clusterToken } from './peers'
import { start, type Running } from './processes'

interface Addresses {
  oauth2Proxy: string
  kubernetes: string
  namespaceLister: string
  tektonResults: string
  kubeArchive: string
}

/** Starts Caddy with the routes of the real deployment, most specific first. */
export async function startCaddy(
  program: Program,
  { folder, port, assets }: { folder: string; port: number; assets: string },
  addresses: Addresses,
): Promise<Running> {
  const file = join(folder, 'Caddyfile')
  await writeFile(file, caddyfile(port, assets, addresses, await hasImpersonate(program.path)))
  return start(program.path, ['run', '--adapter', 'caddyfile', '--config', file], {
    url: `http://127.0.0.1:${port}/health`,
    log: join(folder, 'caddy.log'),
  })
}

/** @param isKonflux whether this Caddy can split a list of groups into several headers; others send the list as received */
function caddyfile(port: number, assets: string, at: Addresses, isKonflux: boolean): string {
  const as = (user: string, group: string) =>
    isKonflux
      ? `impersonate {\ntarget_user ${user}\ntarget_group ${group}\n}`
      : [
          `request_header ${user} {http.request.header.X-Auth-Request-Email}`,
          `request_header +${group} {http.request.header.X-Auth-Request-Groups}`,
          `request_header +${group} system:authenticated`,
        ].join('\n')
  const ask = `forward_auth ${at.oauth2Proxy} {
uri /oauth2/auth
copy_headers X-Auth-Request-Email X-Auth-Request-Groups
}`
  const upstream = (address: string) => `route {
${ask}
${as('Impersonate-User', 'Impersonate-Group')}
reverse_proxy ${address} {
header_up Authorization "Bearer ${clusterToken}"
}
}`
  return `{
admin off
auto_https off
persist_config off
${isKonflux ? 'order impersonate before reverse_proxy' : ''}
}
http://:${port} {
bind 127.0.0.1
route {
request_header -Impersonate-User
request_header -Impersonate-Group
request_header -Impersonate-Uid
request_header -Impersonate-Extra-*
request_header -X-User
request_header -X-Group
@namespaces {
method GET
path /api/k8s/api/v1/namespaces /api/k8s/api/v1/namespaces/
}
handle /health {
respond 200
}
handle /oauth2/* {
reverse_proxy ${at.oauth2Proxy}
}
handle @namespaces {
route {
${ask}
${as('X-User', 'X-Group')}
rewrite * /api/v1/namespaces
reverse_proxy ${at.namespaceLister}
}
}
handle_path /api/k8s/plugins/tekton-results/* {
${upstream(at.tektonResults)}
}
handle_path /api/k8s/plugins/kubearchive/* {
${upstream(at.kubeArchive)}
}
handle_path /wss/k8s/* {
${upstream(at.kubernetes)}
}
handle_path /api/k8s/* {
${upstream(at.kubernetes)}
}
handle {
root * ${assets}
try_files {path} /index.html
file_server
}
}
}
`
}
