import type { PolicyRule } from '@slipway/kube/core-types'
import { deliveredRules } from '@slipway/model/access/missing-right'
import { ownRole } from '@slipway/model/access/own-role'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onAccessChange, rulesQuery } from '../../api/access/access'
import { clusterUser } from '../../resources/cluster-user'
import { publicInfo } from '../../resources/public-info'
import { roleBindings } from '../../resources/role-bindings'

/** The role of the user in a namespace, what it consists of, and the roles that there are. */
export function useOwnRole(namespace: string) {
  const queryClient = useQueryClient()
  const info = useQuery(publicInfo.get())
  const user = useQuery(clusterUser)
  const bindings = useQuery(roleBindings.grants(namespace))
  // Controls poll it. This only reads what they have read, or once where there are none.
  const rules = useQuery({ ...rulesQuery(namespace), refetchInterval: false })
  useEffect(() => {
    const { queryKey } = roleBindings.grants(namespace)
    return onAccessChange((changed, by) => {
      if (changed === namespace && by === 'rules') void queryClient.invalidateQueries({ queryKey })
    })
  }, [namespace, queryClient])
  const own = rules.data == null ? undefined : parseRules(rules.data)
  const roles = info.data?.roles ?? []
  return {
    isPending: [info, user, bindings, rules].some(({ isPending }) => isPending),
    roles,
    rules: own,
    role: ownRole({
      roles: roles.map((role) => ({ role, rules: deliveredRules(role) })),
      bindings: bindings.data?.items,
      user: user.data,
      rules: own,
    }),
  }
}

/** As `rulesQuery` writes them. */
const parseRules = (text: string): PolicyRule[] =>
  text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as PolicyRule)
