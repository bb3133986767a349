import { expect, test } from 'vitest'
import { isMissingLogNotice } from './missing-log'

const path = '/var/log/pods/team_build-pod_9b1f/step-build/0.log'

test.each<[string, string, boolean]>([
  ["the kubelet's sentence", 'unable to retrieve container logs for containerd://0a1b2c', true],
  ['the same as a failure', 'Error: unable to retrieve container logs for containerd://0a1b2c\n', true],
  [
    'the same of a missing log file',
    `Error: failed to try resolving symlinks in path "${path}": lstat ${path}: no such file or directory`,
    true,
  ],
  ['an error of a program', 'Error: unable to retrieve container logs for the web container', false],
  ['the same with a line break', 'unable to retrieve container logs for cri-o://0a1b2c\n', true],
  [
    'a missing log file',
    `failed to try resolving symlinks in path "${path}": lstat ${path}: no such file or directory`,
    true,
  ],
  [
    'a log file that cannot be opened',
    `failed to open log file "${path}": open ${path}: no such file or directory`,
    true,
  ],
  [
    'an unknown container',
    'failed to get container status "0a1b2c": rpc error: code = NotFound desc = not found',
    true,
  ],
  [
    "the runtime's sentence",
    'rpc error: code = NotFound desc = an error occurred when try to find container "0a1b2c": not found',
    true,
  ],
  ["Docker's sentence", 'Error response from daemon: No such container: 0a1b2c', true],
  ['an empty log', '', false],
  [
    'a program that says it of another',
    'checking logs\nunable to retrieve container logs for containerd://0a1b2c\n',
    false,
  ],
  ['a program that goes on', 'unable to retrieve container logs for containerd://0a1b2c\nretrying\n', false],
  ['a program with a similar sentence', 'unable to retrieve container logs for the web container', false],
  ['a program with an error of its own service', 'rpc error: code = NotFound desc = no such bucket', false],
  ['a program with a file of its own', 'failed to open log file "audit.log": permission denied', false],
  [
    'a long line',
    `rpc error: code = NotFound desc = an error occurred when try to find container ${'x'.repeat(2_000)}`,
    false,
  ],
])('%s', (_, log, isNotice) => expect(isMissingLogNotice(log)).toBe(isNotice))
