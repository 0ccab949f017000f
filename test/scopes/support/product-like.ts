import { rulesFrom } from './schema.ts';

/** A small schema in the manner of the product's: three doors, wrappers, an edge to each other level. */
export const PRODUCT_LIKE = `
  type Query {
    me: Viewer @requiresScope(access: INHERIT, enters: USER)
    team(id: ID!): Team @requiresScope(access: INHERIT, enters: TEAM)
    organization(id: ID!): Organization @requiresScope(access: INHERIT, enters: ORGANIZATION)
    slots: [Slot!]! @requiresScope(access: PUBLIC)
    reviewQueue: [OAuthClient!] @requiresScope(access: FIRST_PARTY)
  }
  type Mutation {
    eventTypeCreate: EventTypePayload @requiresScope(user: [EVENT_TYPE_WRITE], enters: USER)
    teamEventTypeCreate: EventTypePayload @requiresScope(team: [TEAM_EVENT_TYPE_WRITE], enters: TEAM)
    bookingCreate: BookingPayload @requiresScope(access: PUBLIC)
    clientApprove: OAuthClient @requiresScope(access: FIRST_PARTY)
  }
  type Subscription {
    bookingChanged: Booking @requiresScope(user: [BOOKING_READ], enters: USER)
  }

  type Viewer @requiresScope(user: [PROFILE_READ]) {
    id: ID! @requiresScope(user: [PROFILE_READ])
    name: String! @requiresScope(user: [PROFILE_READ])
    eventTypes: EventTypeConnection @requiresScope(user: [EVENT_TYPE_READ])
    bookings: BookingConnection @requiresScope(user: [BOOKING_READ])
    teams: TeamConnection @requiresScope(team: [TEAM_PROFILE_READ], enters: TEAM)
    sessions: [Session!] @requiresScope(access: FIRST_PARTY)
  }
  type Team @requiresScope(team: [TEAM_PROFILE_READ], organization: [ORG_PROFILE_READ]) {
    slug: String! @requiresScope(team: [TEAM_PROFILE_READ], organization: [ORG_PROFILE_READ])
    eventTypes: EventTypeConnection @requiresScope(team: [TEAM_EVENT_TYPE_READ], organization: [ORG_EVENT_TYPE_READ])
    memberships: [Membership!] @requiresScope(team: [TEAM_MEMBERSHIP_READ], organization: [ORG_MEMBERSHIP_READ])
  }
  type Organization @requiresScope(organization: [ORG_PROFILE_READ]) {
    slug: String! @requiresScope(organization: [ORG_PROFILE_READ])
    team(id: ID!): Team @requiresScope(access: INHERIT, enters: TEAM)
    teams: TeamConnection @requiresScope(organization: [ORG_PROFILE_READ])
    eventTypes: EventTypeConnection @requiresScope(organization: [ORG_EVENT_TYPE_READ])
  }

  type EventTypeConnection {
    edges: [EventTypeEdge!]! @requiresScope(access: INHERIT)
    nodes: [EventType!]! @requiresScope(access: INHERIT)
    pageInfo: PageInfo! @requiresScope(access: INHERIT)
    totalCount: Int! @requiresScope(access: INHERIT)
  }
  type EventTypeEdge {
    cursor: String! @requiresScope(access: INHERIT)
    node: EventType @requiresScope(access: INHERIT)
  }
  type BookingConnection { nodes: [Booking!]! @requiresScope(access: INHERIT) }
  type TeamConnection { nodes: [Team!]! @requiresScope(access: INHERIT) }
  type PageInfo { hasNextPage: Boolean! @requiresScope(access: INHERIT) }

  type EventType @requiresScope(user: [EVENT_TYPE_READ], team: [TEAM_EVENT_TYPE_READ], organization: [ORG_EVENT_TYPE_READ]) {
    id: ID! @requiresScope(user: [EVENT_TYPE_READ], team: [TEAM_EVENT_TYPE_READ], organization: [ORG_EVENT_TYPE_READ])
    title: String! @requiresScope(user: [EVENT_TYPE_READ], team: [TEAM_EVENT_TYPE_READ], organization: [ORG_EVENT_TYPE_READ])
  }
  type Booking @requiresScope(user: [BOOKING_READ]) {
    id: ID! @requiresScope(user: [BOOKING_READ])
    eventType: EventType @requiresScope(access: INHERIT)
  }
  type Membership @requiresScope(team: [TEAM_MEMBERSHIP_READ], organization: [ORG_MEMBERSHIP_READ]) {
    user: User @requiresScope(team: [TEAM_MEMBERSHIP_READ], organization: [ORG_MEMBERSHIP_READ])
  }
  type User { name: String! @requiresScope(access: INHERIT) }

  type EventTypePayload {
    eventType: EventType @requiresScope(access: INHERIT)
    eventTypeId: ID @requiresScope(access: INHERIT)
    userErrors: [UserError!]! @requiresScope(access: INHERIT)
  }
  type BookingPayload { confirmation: BookingConfirmation @requiresScope(access: PUBLIC) userErrors: [UserError!]! @requiresScope(access: PUBLIC) }
  type BookingConfirmation { id: ID! @requiresScope(access: PUBLIC) }
  type UserError { code: String! @requiresScope(access: PUBLIC) }
  type Slot { start: String! @requiresScope(access: PUBLIC) }
  type OAuthClient { clientId: ID! @requiresScope(access: FIRST_PARTY) }
  type Session { id: ID! @requiresScope(access: FIRST_PARTY) }
`;

export const productLike = rulesFrom(PRODUCT_LIKE);
