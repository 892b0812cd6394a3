{{- define "name" -}}
{{- if contains "interview-prep" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-interview-prep{{ end }}
{{- end }}

{{/* Of all pods of the release. */}}
{{- define "selector" -}}
app.kubernetes.io/name: interview-prep
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "labels" -}}
{{ include "selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* Pods of some components: dict "root" $ "components" (list …) */}}
{{- define "components" -}}
matchLabels: {{- include "selector" .root | nindent 2 }}
matchExpressions:
  - { key: app.kubernetes.io/component, operator: In, values: {{ toJson .components }} }
{{- end }}

{{/* The Secret with these secrets: dict "root" $ "group" "mongodb" */}}
{{- define "secret" -}}
{{- if .root.Values.quickstart.enabled }}{{ include "name" .root }}-quickstart
{{- else }}{{ required (printf "existingSecrets.%s is required" .group) (index .root.Values.existingSecrets .group) }}{{ end }}
{{- end }}

{{/* Every container, of the product and of the quickstart: the restricted pod security standard, and a read-only root. */}}
{{- define "containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* dict "user" 1000 */}}
{{- define "podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* The environment of a process: dict "root" $ "process" "auth" */}}
{{- define "environment" -}}
{{- $root := .root }}{{ $process := .process }}{{ $name := include "name" $root }}
{{- range splitList " " (include (printf "%s.settings" $process) $root) }}
{{- $value := index $root.Values.settings . }}
{{- if not (kindIs "invalid" $value) }}
- { name: {{ . }}, value: {{ ternary (int64 (ternary $value 0 (kindIs "float64" $value))) $value (kindIs "float64" $value) | toString | quote }} }
{{- end }}
{{- end }}
{{- range splitList " " (include (printf "%s.secrets" $process) $root) }}
{{- $setting := trimSuffix "?" . }}
{{- $group := get (dict "MONGODB_URI" "mongodb" "REDIS_URL" "redis" "S3_ACCESS_KEY" "s3" "S3_SECRET_KEY" "s3" "SMTP_URL" "smtp" "OIDC_CLIENT_SECRET" "oidc") $setting | default "product" }}
{{- $upper := upper $process }}
{{- $database := ternary "RECORDING" $upper (eq $process "worker") }}
{{- $key := get (dict "MONGODB_URI" (printf "MONGODB_%s_URI" $database) "REDIS_URL" (printf "REDIS_%s_URL" $upper) "GATEWAY_SECRET" (printf "GATEWAY_%s_SECRET" $upper)) $setting | default $setting }}
{{- $isOptional := hasSuffix "?" . }}
{{- if or $root.Values.quickstart.enabled (index $root.Values.existingSecrets $group) (not $isOptional) }}
- name: {{ $setting }}
  valueFrom:
    secretKeyRef:
      name: {{ include "secret" (dict "root" $root "group" $group) }}
      key: {{ $key }}
      {{- if $isOptional }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}
{{- if has $process (list "catalog" "recording" "history") }}
- { name: AUTH_JWKS_URL, value: 'http://{{ $name }}-auth:8080/api/auth/.well-known/jwks.json' }
{{- end }}
{{- if eq $process "gateway" }}
{{- range list "auth" "catalog" "recording" "history" }}
- { name: {{ upper . }}_URL, value: 'http://{{ $name }}-{{ . }}:8080' }
{{- end }}
{{- end }}
{{- with $root.Values.tracing.endpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- if eq $process "recording" }}
# Buffers of uploads are freed sooner, so that many large ones at once need half the memory.
- { name: NODE_OPTIONS, value: --max-semi-space-size=1 }
{{- end }}
{{- end }}
