import { formatFieldMask } from '@slipway/kube/field-mask'
import type { WatchHandlers } from '@slipway/kube/list-watch'
import { queryString, resourcePath } from '@slipway/kube/path'
import type { ResourceType } from '@slipway/kube/resource-type'
import { formatFieldSelector, formatLabelSelector } from '@slipway/kube/selector'
import type { Socket } from '../client'
import type { ListScope } from '../list-pages'

/** Watches a list through a websocket of the gateway. @param openSocket gets the path of the API, with its query */
export function openWatch(
  openSocket: (path: string) => Pick<Socket, 'onopen' | 'onmessage' | 'onclose' | 'close'>,
  { type, namespace, labels, fields, mask }: ListScope & { type: ResourceType },
  resourceVersion: string | undefined,
  { onOpen, onMessage, onClose }: WatchHandlers,
): { close(): void } {
  const query = queryString({
    watch: true,
    // So that silence means a dead connection: within seconds with a gateway's heartbeat, in minutes with bookmarks.
    heartbeat: true,
    allowWatchBookmarks: true,
    resourceVersion,
    labelSelector: labels && formatLabelSelector({ matchLabels: labels }),
    fieldSelector: fields && formatFieldSelector(fields),
    fieldMask: formatFieldMask(mask),
  })
  const socket = openSocket(`${resourcePath(type, { namespace })}${query}`)
  socket.onopen = onOpen
  // The server sends text frames, despite the name of the subprotocol.
  socket.onmessage = ({ data }) => onMessage(String(data))
  socket.onclose = ({ code }) => onClose(code)
  return {
    close() {
      socket.onopen = socket.onmessage = socket.onclose = null
      socket.close()
    },
  }
}
