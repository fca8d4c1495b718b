//! The content of a drawing: rows of columns of things, with their texts.

/// The content of a whole drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The title of the drawing.
    pub title: String,
    /// The line below the title.
    pub remarks: String,
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
}

/// A row of the drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The text above the row.
    pub caption: String,
    /// Columns of things that are drawn one above the other, from left to right.
    pub columns: Vec<Vec<Thing>>,
    /// The ending behind the last column.
    pub ending: Ending,
}

/// The ending behind the last column of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No mark: the line ends in the last thing.
    Whole,
    /// The line is broken there. The text says why.
    Broken(String),
    /// The line continues beyond the drawing. The text says where.
    Outside(String),
}

/// One thing in a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A box, with some sockets in it.
    Case {
        /// The text at the top of the box.
        title: String,
        /// The small text below the title.
        subtitle: String,
        /// The texts in the sockets, in order. The line runs through all of them.
        sockets: Vec<String>,
    },
    /// A line between its neighbours.
    Wire {
        /// The text above the line.
        label: String,
        /// The small text below the line.
        detail: String,
        /// The colour of the line: free text, of which only names of colours and hexadecimal colours are drawn.
        color: Option<String>,
        /// True if the line is drawn solid, false if it is dashed.
        active: bool,
    },
    /// A cloud, for a network whose inside is not shown.
    Cloud {
        /// The text in the cloud.
        title: String,
        /// The small text below the title.
        id: String,
        /// The small text at the bottom of the cloud.
        detail: String,
        /// True if the outline is drawn solid, false if it is dashed.
        active: bool,
    },
    /// A small round label.
    Side(String),
}
