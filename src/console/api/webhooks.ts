/** The webhooks of the space and their deliveries. A secret is in the answer that makes it, and nowhere after that. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";

export type Webhook = components["schemas"]["Webhook"];
export type WebhookEvent = Webhook["events"][number];
export type WebhookDelivery = components["schemas"]["WebhookDelivery"];

/** The part of a webhook that a form holds. */
export interface WebhookValues {
  url: string;
  name: string;
  events: WebhookEvent[];
  models: string[] | null;
}

export type WebhookChange = Partial<WebhookValues> & { enabled?: boolean; secret?: "rotate" };

const WEBHOOKS = ["webhooks"];
const PAGE = 100;
const DELIVERIES = 25;
/** How often deliveries are read again while one is on its way. */
const POLL_MS = 2000;

export function useWebhooks() {
  const { api, path } = useApi();
  return useQuery({
    queryKey: WEBHOOKS,
    // A space has fewer than one page of them.
    queryFn: async () => {
      const query = { limit: PAGE };
      return (await answered(api.GET("/api/v1/{spaceName}/webhooks", { params: { path, query } }))).data;
    },
  });
}

export function useWebhook(webhookId: string) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: [...WEBHOOKS, webhookId],
    queryFn: async () => {
      const params = { path: { ...path, webhookId } };
      return (await answered(api.GET("/api/v1/{spaceName}/webhooks/{webhookId}", { params }))).data;
    },
  });
}

export function useCreateWebhook() {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: WebhookValues) =>
      (await answered(api.POST("/api/v1/{spaceName}/webhooks", { params: { path }, body }))).data,
    // The mutation holds the secret, and is forgotten with the dialog that shows it.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: WEBHOOKS }),
  });
}

export function useChangeWebhook(webhookId: string) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: WebhookChange) => {
      const params = { path: { ...path, webhookId } };
      return (await answered(api.PATCH("/api/v1/{spaceName}/webhooks/{webhookId}", { params, body }))).data;
    },
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: WEBHOOKS }),
  });
}

export function useRemoveWebhook() {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id: webhookId }: Webhook) =>
      answered(
        api.DELETE("/api/v1/{spaceName}/webhooks/{webhookId}", { params: { path: { ...path, webhookId } } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: WEBHOOKS, exact: true }),
  });
}

const deliveriesOf = (webhookId: string): string[] => [...WEBHOOKS, webhookId, "deliveries"];

/** Reads a page of deliveries; again and again while one of them is on its way. */
export function useDeliveries(webhookId: string, cursor: string | null) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: [...deliveriesOf(webhookId), cursor],
    queryFn: () => {
      const query = { limit: DELIVERIES, ...(cursor !== null && { cursor }) };
      const params = { path: { ...path, webhookId }, query };
      return answered(api.GET("/api/v1/{spaceName}/webhooks/{webhookId}/deliveries", { params }));
    },
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ state }) => state === "pending") ? POLL_MS : false,
  });
}

export function usePing(webhookId: string) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answered(
        api.POST("/api/v1/{spaceName}/webhooks/{webhookId}/ping", {
          params: { path: { ...path, webhookId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesOf(webhookId) }),
  });
}

export function useRedeliver(webhookId: string) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: string) =>
      answered(
        api.POST("/api/v1/{spaceName}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", {
          params: { path: { ...path, webhookId, deliveryId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: deliveriesOf(webhookId) }),
  });
}
