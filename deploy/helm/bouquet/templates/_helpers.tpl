{{- define "bouquet.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- /* Short enough for "-tulip-" and a pod's number behind it. */ -}}
{{- define "bouquet.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "bouquet.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "bouquet.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* What selects pods: (dict "root" $ "part" "ivy"). It can't change in an upgrade. */ -}}
{{- define "bouquet.selector" -}}
app.kubernetes.io/name: {{ include "bouquet.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "bouquet.labels" -}}
{{ include "bouquet.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "bouquet.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "bouquet.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "bouquet.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- /* Flags of both parts. */ -}}
{{- define "bouquet.args" -}}
- --model
- {{ .Values.model.source | quote }}
- --revision
- {{ .Values.model.revision | quote }}
{{- if .Values.model.offline }}
- --offline
{{- end }}
- --name
- {{ .Values.model.name | default .Values.model.source | quote }}
- --log-format
- {{ .Values.log.format | quote }}
- --log-level
- {{ .Values.log.level | quote }}
{{- end -}}

{{- define "bouquet.env" -}}
- name: HF_HOME
  value: /data
- name: BOUQUET_CACHE
  value: /data
{{- if .Values.model.tokenSecret }}
- name: HF_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ .Values.model.tokenSecret }}
      key: token
{{- end }}
{{- end -}}

{{- /* What the pods of both parts share: (dict "root" $ "part" "ivy" "values" .Values.ivy). */ -}}
{{- define "bouquet.pod" -}}
serviceAccountName: {{ include "bouquet.serviceAccount" .root }}
automountServiceAccountToken: false
# Else a Service named bouquet gives every pod a variable BOUQUET_PORT, which is the flag --port.
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- if .values.topologySpreadConstraints }}
  {{- toYaml .values.topologySpreadConstraints | nindent 2 }}
{{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "bouquet.selector" (dict "root" .root "part" .part) | nindent 8 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "bouquet.mounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- if .root.Values.model.volume }}
- name: models
  mountPath: /models
  readOnly: true
{{- end }}
{{- if .root.Values.tls.upstreamSecret }}
- name: upstream-tls
  mountPath: /etc/bouquet/upstream-tls
  readOnly: true
{{- end }}
{{- with .values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "bouquet.volumes" -}}
- name: tmp
  emptyDir: {}
{{- with .root.Values.model.volume }}
- name: models
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tls.upstreamSecret }}
- name: upstream-tls
  secret:
    secretName: {{ . }}
{{- end }}
{{- with .values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
