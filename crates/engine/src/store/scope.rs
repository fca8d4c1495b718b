//! Selects changes by the scope of their object: the containers, the tenant and the labels that it had before or after
//! the change. The log keeps a scope as a text of JSON.

use sea_orm::sea_query::{Expr, ExprTrait, Func, SimpleExpr};
use sea_orm::{Condition, DbBackend};
use underlay_entity::change::{self, Column};
use uuid::Uuid;

/// A filter for the scope of a change. The scope before the change or that after it must match every condition.
#[derive(Clone, Debug, Default)]
pub struct ScopeQuery {
    /// The object is contained in this one, at any depth.
    pub within: Option<Uuid>,
    /// The tenant owns the object.
    pub tenant: Option<String>,
    /// The labels of the object match all of these.
    pub labels: Vec<LabelTest>,
}

/// A test of one label. A key has no quotation mark and no backslash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelTest {
    /// The label exists and has one of these values.
    In(String, Vec<String>),
    /// The label does not exist, or has none of these values.
    NotIn(String, Vec<String>),
    /// The label exists.
    Exists(String),
    /// The label does not exist.
    Missing(String),
}

impl ScopeQuery {
    /// Returns the condition of a statement; `None` if every scope matches.
    pub(super) fn condition(&self, backend: DbBackend) -> Option<Condition> {
        if self.within.is_none() && self.tenant.is_none() && self.labels.is_empty() {
            return None;
        }
        let sides = [Column::ScopeBefore, Column::ScopeAfter];
        Some(sides.into_iter().fold(Condition::any(), |any, side| any.add(self.holds(Scope { backend, side }))))
    }

    fn holds(&self, scope: Scope) -> Condition {
        let tenant = |tenant: &String| scope.text(&["tenant"]).eq(tenant.as_str());
        let mut all = Condition::all()
            .add(scope.column().is_not_null())
            .add_option(self.within.map(|container| scope.contains(container)))
            .add_option(self.tenant.as_ref().map(tenant));
        for test in &self.labels {
            all = all.add(scope.label(test));
        }
        all
    }
}

/// One of the two scopes of a change, in a database.
#[derive(Clone, Copy)]
struct Scope {
    backend: DbBackend,
    side: Column,
}

impl Scope {
    fn column(self) -> Expr {
        Expr::col((change::Entity, self.side))
    }

    /// Returns the member of the scope at a path, as a text: that of JSON for a list. It is null if there is none.
    fn text(self, path: &[&str]) -> SimpleExpr {
        match self.backend {
            DbBackend::Postgres => {
                let read = Func::cust("jsonb_extract_path_text").arg(self.column().cast_as("jsonb"));
                path.iter().fold(read, |read, name| read.arg(Expr::val(*name))).into()
            }
            _ => {
                let path = path.iter().fold("$".to_owned(), |path, name| format!("{path}.\"{name}\""));
                Func::cust("json_extract").arg(self.column()).arg(Expr::val(path)).into()
            }
        }
    }

    /// Returns the condition that an object is among the containers. The list holds nothing but ids.
    fn contains(self, container: Uuid) -> SimpleExpr {
        let position = if self.backend == DbBackend::Postgres { "strpos" } else { "instr" };
        let found = Func::cust(position).arg(self.text(&["containers"])).arg(Expr::val(container.to_string()));
        SimpleExpr::from(found).gt(0)
    }

    fn label(self, test: &LabelTest) -> Condition {
        let value = |key: &String| self.text(&["labels", key]);
        let texts = |values: &[String]| values.iter().map(|value| Expr::val(value.as_str())).collect::<Vec<_>>();
        match test {
            LabelTest::In(key, values) => Condition::all().add(value(key).is_in(texts(values))),
            LabelTest::NotIn(key, values) => {
                Condition::any().add(value(key).is_null()).add(value(key).is_not_in(texts(values)))
            }
            LabelTest::Exists(key) => Condition::all().add(value(key).is_not_null()),
            LabelTest::Missing(key) => Condition::all().add(value(key).is_null()),
        }
    }
}
