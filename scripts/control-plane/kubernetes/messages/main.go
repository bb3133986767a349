// Command messages prints the protobuf messages of the kinds that the embedded API server accepts in protobuf, and of
// everything in them, as JSON for packages/apiserver/src/protobuf/messages.json: `npm run kubernetes-types`.
//
// It reads the tags of the Go types, from which Kubernetes generates its .proto files. Those do not say which fields
// are pointers or have `omitempty`, and both matter for the JSON form.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	events "k8s.io/api/events/v1"
	rbac "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var roots = []any{
	core.ConfigMap{}, core.Event{}, core.LimitRange{}, core.Namespace{}, core.PersistentVolumeClaim{}, core.Pod{},
	core.Secret{}, core.ServiceAccount{},
	authentication.SelfSubjectReview{}, authentication.TokenRequest{}, authentication.TokenReview{},
	authorization.LocalSubjectAccessReview{}, authorization.SelfSubjectAccessReview{},
	authorization.SelfSubjectRulesReview{}, authorization.SubjectAccessReview{},
	coordination.Lease{}, events.Event{},
	rbac.ClusterRole{}, rbac.ClusterRoleBinding{}, rbac.Role{}, rbac.RoleBinding{},
	meta.DeleteOptions{}, meta.ListMeta{}, meta.Status{},
}

// Types whose JSON form is not that of their fields.
var special = map[reflect.Type]string{
	reflect.TypeFor[meta.Time]():                 "time",
	reflect.TypeFor[meta.MicroTime]():            "microTime",
	reflect.TypeFor[meta.FieldsV1]():             "json",
	reflect.TypeFor[intstr.IntOrString]():        "intOrString",
	reflect.TypeFor[resource.Quantity]():         "quantity",
	reflect.TypeFor[authentication.ExtraValue](): "wrappedStrings",
	reflect.TypeFor[authorization.ExtraValue]():  "wrappedStrings",
}

// Messages by name; their fields by number, each "name type". A "?" after the type means that JSON omits what is empty;
// a field without a name is inline.
var messages = map[string]map[string]string{}

func add(t reflect.Type) {
	name := nameOf(t)
	if _, known := messages[name]; known {
		return
	}
	fields := map[string]string{}
	messages[name] = fields
	for i := range t.NumField() {
		field := t.Field(i)
		number := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(number) < 2 {
			continue // apiVersion and kind are in the envelope.
		}
		jsonName, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		spelled := jsonName + " " + spell(field.Type)
		if strings.Contains(options, "omitempty") && field.Type.Kind() != reflect.Pointer {
			spelled += "?"
		}
		fields[number[1]] = spelled
	}
}

func spell(t reflect.Type) string {
	if name, ok := special[t]; ok {
		return name
	}
	switch t.Kind() {
	case reflect.Pointer:
		return spell(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + spell(t.Elem())
	case reflect.Map:
		return "map " + spell(t.Elem())
	case reflect.Struct:
		add(t)
		return nameOf(t)
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32, reflect.Int64:
		return "int"
	}
	panic(fmt.Sprintf("no spelling for %v", t))
}

// nameOf returns the group or library, the version and the name: "core/v1.Pod", "meta/v1.Time".
func nameOf(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	return strings.Join(parts[len(parts)-2:], "/") + "." + t.Name()
}

func main() {
	for _, root := range roots {
		add(reflect.TypeOf(root))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(messages); err != nil {
		panic(err)
	}
}
